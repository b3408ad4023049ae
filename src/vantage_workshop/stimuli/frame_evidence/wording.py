"""The words of the questions, Chinese and English. The templates are ours: the paper prints only examples."""

from vantage.layouts import INSUFFICIENT, Frame
from vantage_workshop.stimuli.frame_evidence.groups import Chosen

OPTIONS = {
    "front": ("前方", "front"), "back": ("后方", "back"), "left": ("左方", "left"), "right": ("右方", "right"),
    "front-left": ("左前方", "front-left"), "front-right": ("右前方", "front-right"),
    "back-left": ("左后方", "back-left"), "back-right": ("右后方", "back-right"),
    INSUFFICIENT: ("信息不足，无法判断", "insufficient information"),
}  # fmt: skip
"""What an option says, in Chinese and in English."""

_ORDINALS = (("一", "first"), ("二", "second"), ("三", "third"), ("四", "fourth"))

Names = dict[str, tuple[str, str, str]]
"""Label, Chinese name and English name of every object."""


def question(chosen: Chosen, condition: int, names: Names) -> tuple[str, str]:
    """The question of a condition in Chinese and English. FQ2 asks the same in all three."""
    zh, en = _heading(chosen, chosen.frames[condition], chosen.ordinals[condition], names)
    (target_zh, target_en), (relatum_zh, relatum_en) = (names[name][1:] for name in (chosen.target, chosen.relatum))
    if chosen.stratum.tag == "object":
        return (
            f"请综合所有图片判断：假设一个人站在{relatum_zh}处，面朝{zh}，{target_zh}在这个人的哪个方向？",
            f"Judge from all images together: suppose a person stands at the {relatum_en} and faces along {en}. "
            f"In which direction from this person is the {target_en}?",
        )
    if chosen.stratum.tag == "world":
        return (
            f"请综合所有图片判断：把{zh}定为整个场景的“前”，{target_zh}位于{relatum_zh}的哪个方位？",
            f"Judge from all images together: let {en} be the front of the whole scene. "
            f"On which side of the {relatum_en} is the {target_en}?",
        )
    before = (
        ("请综合所有图片判断：", "Judge from all images together: ") if chosen.stratum.tag == "camera" else ("", "")
    )
    return (
        f"{before[0]}以{zh}为前方，{target_zh}在{relatum_zh}的哪个方向？",
        f"{before[1]}{'taking' if before[1] else 'Taking'} {en} as front, in which direction from the {relatum_en} is the {target_en}?",
    )


def _heading(chosen: Chosen, frame: Frame, ordinal: int | None, names: Names) -> tuple[str, str]:
    """The heading that a frame calls front."""
    if frame.kind == "camera" and ordinal is not None:
        number_zh, number_en = _ORDINALS[ordinal - 1]
        zh, en = f"第{number_zh}张图的相机朝向", f"the heading of the {number_en} image's camera"
    elif frame.kind == "camera":
        _, mark_zh, mark_en = names[chosen.landmark]
        zh, en = f"拍到{mark_zh}的那张图的相机朝向", f"the heading of the camera whose image shows the {mark_en}"
    else:
        _, name_zh, name_en = names[frame.anchor]
        zh, en = f"{name_zh}的正面朝向", f"the heading of the {name_en}"
    return (f"{zh}的反方向", f"the reverse of {en}") if frame.backward else (zh, en)
