import type { Day } from '../day.ts';
import type { ChartData } from './chart.ts';

/** A key figure: the last 28 whole days against the 28 before. */
export interface Kpi {
  measure: string;
  value: number | null;
  previous: number | null;
  change: number | null;
  /** How far such a change strays by itself. */
  typical: number | null;
  isClear: boolean;
  days: number;
  goal: number | null;
}

/** A day on which the level of a measure shifted. */
export interface Shift {
  measure: string;
  date: Day;
  before: number;
  after: number;
  candidates: number;
  titles: string | null;
}

export interface Freshness {
  endpoint: string;
  status: string;
  covered: Day | null;
  error: string | null;
}

/** Everything the report says of one project. */
export interface ProjectData {
  id: string;
  name: string | null;
  /** Last whole day; null where there is none. */
  end: Day | null;
  pendingFrom: Day | null;
  charts: ChartData;
  kpis: Kpi[];
  shifts: Shift[];
  freshness: Freshness[];
}
