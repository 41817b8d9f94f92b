-- The endpoint of the view.
z.endpoint = '{{series}}'
