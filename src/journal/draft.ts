import type { Change } from '../history/history.ts'
import type { Call } from '../http/call.ts'
import { type NotedSettings, none, union } from '../policies/noted.ts'
import type { Clock } from '../world/clock.ts'
import type { JournalRecord } from './record.ts'

/** The record of a request that is on its way. It becomes the record itself: a copy would cost as much again. */
export type Draft = { -readonly [Field in keyof JournalRecord]: JournalRecord[Field] }

/** What is known of a request when it comes. */
export function draftOf(
  id: number,
  operation: string | null,
  { method, target, headers, body }: Pick<Call, 'method' | 'target' | 'headers' | 'body'>,
  { clock, noted }: { readonly clock: Clock; readonly noted: NotedSettings },
): Draft {
  return {
    id,
    at: clock.now(),
    ms: 0,
    operation,
    method,
    target,
    requestHeaders: headers,
    requestBody: body,
    answer: unanswered,
    noted: none,
    settings: noted.plain,
    fault: null,
    changes: unchanged,
  }
}

/** Notes what answering came to; of a request that was carried out and then refused, what both read. */
export function note(draft: Draft, noted: NotedSettings, changes: readonly Change[]): void {
  if (draft.noted !== none) {
    draft.noted = union(draft.noted, noted.take())
    return
  }
  draft.noted = noted.take()
  draft.settings = noted.plain
  draft.changes = changes
}

const unanswered: JournalRecord['answer'] = { status: 0, headers: {}, text: '', ascii: true }
const unchanged: readonly Change[] = []
