-- An answer is truncated when it has lost pages too, not only when its list is as long as its limit.
comment on column meta.slices.status is 'loaded, empty (the answer has nothing in it), not_enabled, truncated (as long as its limit, so that more may exist, or incomplete: error_message says why, and its days are still owed), suspicious (held back) or failed.';
comment on column meta.slices.truncated is 'True when a list is as long as its limit, so that more may exist, or when the answer is incomplete.';
comment on column meta.slices.error_class is 'Class of the failure; NULL when it neither failed nor is incomplete.';
comment on column meta.slices.error_message is 'What failed or is missing; NULL when nothing is.';
