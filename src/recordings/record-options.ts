import * as z from 'zod'
import { isObject } from '../differences.ts'
import { type JournalFilter, parseOptions } from '../journal/filter.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { RecordingHead } from './recording.ts'

/** What of a journal is recorded, and how. What a filter can say stands beside it. */
export interface RecordOptions
  extends JournalFilter,
    Pick<RecordingHead, 'title' | 'description' | 'world'> {
  /** The id of an entry of the journal: only what came after it */
  readonly after?: number | undefined
  /** The ids of entries: only these */
  readonly entries?: readonly number[] | undefined
  /** Whether personal data stays as it is; by default it is replaced. Keys are hidden either way */
  readonly keep?: boolean | undefined
}

const ownOptions: z.ZodType<Partial<RecordOptions>> = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  world: z
    .union([z.string(), z.looseObject({})], { error: 'expected the name of a fixture, or a world' })
    .optional(),
  after: z.int().min(0).optional(),
  entries: z.array(z.int()).optional(),
  keep: z.boolean().optional(),
}) as never

/** The filter among the options, unchecked. @throws UsageError that names the option at fault */
export function extractFilter(options: RecordOptions): JournalFilter {
  if (!isObject(options)) throw unexpectedValue('record', 'options by their names', options)
  const { title, description, after, entries, keep, world, ...filter } = options
  parseOptions(ownOptions, { title, description, after, entries, keep, world }, 'record', 'options')
  return filter
}
