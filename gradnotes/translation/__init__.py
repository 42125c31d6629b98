"""The Chinese edition: read the texts of i18n/zh, and compare them with the English that they render."""
