import { addDays } from '../day.ts';
import type { Range } from './chart.ts';
import { measureWords } from './key-figures.ts';
import { markup, type Markup } from './markup.ts';
import type { ChartData, Shift } from './read-projects.ts';
import { formatDay, plainLabel } from './text.ts';

const MAX_SHIFTS = 6;

/** The level shifts of a range, newest first, and what happened around them. */
export function shiftsBody(data: ChartData, range: Range): Markup {
  const shifts = data.shifts.filter(({ day }) => day >= range.from && day < range.from + range.days);
  if (shifts.length === 0) return noShift(data, range);
  const items = shifts.slice(0, MAX_SHIFTS).map((shift) => {
    const events =
      shift.candidates_count === 0
        ? 'No event around that day.'
        : `Around that day: ${plainLabel(shift.candidate_titles, `${shift.candidates_count} events`)}`;
    return markup`<li><strong>${formatDay(addDays(data.start, shift.day))}</strong> <span>${shiftWords(shift)}</span><span class="causes">${events}</span></li>`;
  });
  return markup`<ul class="shifts">${items}</ul><p class="note">Events from 14 days before to 5 days after a shift. They may or may not have caused it.</p>`;
}

/** A shift in words. */
function shiftWords({ measure, value_before: before, value_after: after }: Shift): string {
  const { title, format } = measureWords(measure);
  return `${title} ${after > before ? 'rose' : 'fell'} from ${format(before)} to ${format(after)}`;
}

/** A shift can only be recognised once the typical change is known. */
function noShift({ kpis }: ChartData, { days }: Range): Markup {
  return kpis.some((kpi) => kpi.typical_change !== null)
    ? markup`<p class="empty"><strong>No level shift in these ${days} days.</strong> Every figure stayed in its usual range.</p>`
    : markup`<p class="empty"><strong>Too early to tell.</strong> It takes about 70 days of figures to know the usual range.</p>`;
}
