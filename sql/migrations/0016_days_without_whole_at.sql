-- No view says any more when a day became whole.
alter table meta.asked_days drop column whole_at;
