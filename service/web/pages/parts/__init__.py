"""Parts of pages that several rooms show: boards, choices, clocks, words of luck."""
