import { UsageError } from '../../utils/usage-error.ts'
import { type Change, type ChangeKind, type ChangeStep, changeKinds } from '../format/scenario.ts'
import { fillForSending } from '../format/values.ts'
import { UnreachableError } from './read-response.ts'
import { saveValues } from './save-values.ts'
import type { ExecutedStep } from './send-request.ts'
import type { Target } from './target.ts'

/** Changes the world; what it refuses is a difference. */
export async function applyChange(
  step: ChangeStep,
  target: Target,
  saved: Map<string, unknown>,
): Promise<ExecutedStep> {
  const word = changeKindOf(step)
  const save = 'save' in step ? (step.save ?? {}) : {}
  try {
    const value = (step as Record<string, unknown>)[word]
    // The rows of a world stand for themselves.
    const change = { [word]: word === 'world' ? value : fillForSending(value, saved) }
    const added = await target.change(change as unknown as Change)
    return { request: null, answer: null, differences: saveValues(save, added, saved) }
  } catch (error) {
    if (error instanceof UnreachableError || !(error instanceof UsageError)) throw error
    const expected = 'a change that can be made'
    const difference = {
      path: [word],
      where: word,
      expected,
      got: error.message,
      inWords: true,
    } as const
    return { request: null, answer: null, differences: [difference] }
  }
}

/** What a step changes. */
export function changeKindOf(step: ChangeStep): ChangeKind {
  return changeKinds.find((word) => word in step) as ChangeKind
}
