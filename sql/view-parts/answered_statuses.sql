-- Outcomes of a slice whose answer is stored: they cover its days.
'loaded', 'empty', 'not_enabled', 'truncated'
