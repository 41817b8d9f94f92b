import { z } from 'zod';
import { dayNumber, dayOf, isDay } from '../day.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount } from '../terminal/amount.ts';

const settingsRow = z.object({ day: z.string().nullable() });
/** Of the night before the last, a night that is still to come can have been the next. */
const USUAL_DAYS = 1;

/** What the views cannot know: how long ago the newest sync was. Empty while that is usual. */
export async function staleNotes(file: PublishedFile, now: number): Promise<string[]> {
  const [settings] = await file.rowsAs(
    settingsRow,
    'select cast(sync_day as varchar) as day from main.sync_settings',
  );
  const day = settings?.day ?? '';
  if (!isDay(day)) return [];
  const days = dayNumber(dayOf(now)) - dayNumber(day);
  if (days <= USUAL_DAYS) return [];
  return [`The newest sync was for ${day}, ${amount(days)} days ago: later days are no gaps yet.`];
}
