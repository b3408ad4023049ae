"""FrameEvidence-Open: scenes seen from above, views on them, and questions whose evidence is proved.

`strata.csv` says what every group must be; `places` draws scenes and cameras, `groups` chooses the questions that the theorems of
`vantage.layouts` bear out, `labels` names the objects, `wording` words the questions, `items` puts it all into tables.
"""
