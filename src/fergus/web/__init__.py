"""The web pages: participants' and administrators'."""
