import * as z from 'zod'
import type { JournalFilter } from '../journal/filter.ts'
import { check } from '../journal/filter.ts'
import type { RecordingHead } from './recording.ts'

/** What of a journal is recorded, and how. What a filter can say stands beside it. */
export interface RecordOptions
  extends JournalFilter,
    Pick<RecordingHead, 'title' | 'description' | 'world'> {
  /** The id of an entry of the journal: only what came after it */
  readonly after?: number | undefined
  /** Whether personal data stays as it is; by default it is replaced. Keys are hidden either way */
  readonly keep?: boolean | undefined
}

const own: z.ZodType<Pick<RecordOptions, 'title' | 'description' | 'after' | 'keep'>> =
  z.strictObject({
    title: z.string().optional(),
    description: z.string().optional(),
    after: z.int().min(0).optional(),
    keep: z.boolean().optional(),
  }) as never

/** The filter among the options, unchecked. @throws UsageError that names the option at fault */
export function filterOf(options: RecordOptions): JournalFilter {
  const { title, description, after, keep, world: _, ...filter } = options
  check(own, { title, description, after, keep }, 'record', 'options')
  return filter
}
