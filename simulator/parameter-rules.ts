import type { ParameterRule } from './parameters.ts';
import { PROMPT_TYPES } from './world.ts';

export const DAY: ParameterRule = { kind: 'day' };
export const TEXT: ParameterRule = { kind: 'text' };
export const FLAG: ParameterRule = { kind: 'flag' };
export const LIST: ParameterRule = { kind: 'list' };
export const choice = (...of: string[]): ParameterRule => ({ kind: 'choice', of });
export const listOf = (of: readonly string[]): ParameterRule => ({ kind: 'list', of });
export const integer = (min: number, max?: number): ParameterRule =>
  max === undefined ? { kind: 'integer', min } : { kind: 'integer', min, max };

export const WINDOW = { startDate: DAY, endDate: DAY };
export const ONE_PROMPT = { promptId: TEXT, llmMonitorId: TEXT };
export const PERIOD = choice('day', 'week', 'month');
export const TYPES = listOf(PROMPT_TYPES);
