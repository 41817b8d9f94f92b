/** Longest window of one request in days, both ends counted: legal under every reading of 90, 92, inclusive and exclusive. */
export const MAX_WINDOW_DAYS = 90;
