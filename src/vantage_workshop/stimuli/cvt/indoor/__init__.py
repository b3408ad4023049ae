"""CVT-Indoor: furnished rooms, and questions about them by CVT-Real's protocol in its printed composition."""
