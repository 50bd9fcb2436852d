"""Web experiments in which people judge generated text (section 4.1 of Bangalore, Rambow and Whittaker 2000)."""
