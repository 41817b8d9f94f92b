/** The days that a chart shows; the dashboard's reader may choose others. */
export const NINETY_DAYS = {
  clause: 'WHERE',
  expressionType: 'SIMPLE',
  subject: 'date',
  operator: 'TEMPORAL_RANGE',
  comparator: 'Last 90 days',
} as const;

/** A chart's filters: one in SQL, and others as Superset writes them. */
export function where(sqlExpression: string, ...more: readonly object[]): { adhoc_filters: object[] } {
  const filter = { expressionType: 'SQL', clause: 'WHERE', sqlExpression, subject: null, operator: null };
  return { adhoc_filters: [filter, ...more] };
}
