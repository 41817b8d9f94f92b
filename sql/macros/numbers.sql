{# Probability that a standard normal figure lies at least `z` (0 or more) from 0, either way. Abramowitz and Stegun 26.2.17: off by less than 1e-7. #}
{% macro two_sided(z) -%}
2 * 0.3989422804 * exp(-({{ z }}) * ({{ z }}) / 2) * (1 / (1 + 0.2316419 * ({{ z }})))
      * (0.319381530 + (1 / (1 + 0.2316419 * ({{ z }}))) * (-0.356563782 + (1 / (1 + 0.2316419 * ({{ z }})))
      * (1.781477937 + (1 / (1 + 0.2316419 * ({{ z }}))) * (-1.821255978 + (1 / (1 + 0.2316419 * ({{ z }}))) * 1.330274429))))
{%- endmacro %}
