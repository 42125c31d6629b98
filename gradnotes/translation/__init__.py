"""Read the texts of the Chinese edition in i18n/zh, and compare them with the English that they translate."""
