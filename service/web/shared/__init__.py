"""Common parts of API, pages and feeds: the caller, problems, rate limits, headers."""
