import {
  about,
  contradicts,
  type Differences,
  favours,
  otherFields,
} from '../fit/answer-differences.ts'
import type { ComparedAnswer, Fit, TriedValue } from '../fit/fit-settings.ts'
import { type SettingId, settingIds } from '../settings/setting.ts'

/** What answers say about the value of one setting. */
export interface SettingFinding {
  readonly id: SettingId
  /** The value of the best explanation */
  readonly best: TriedValue
  /** The requests whose answers exclude another value, by their indexes. If all values are denied, those that deny one */
  readonly by: readonly number[]
  /** Values that fit as well */
  readonly or: readonly TriedValue[]
  /** Values that no answer shows: where they answer otherwise, the service has another status than both */
  readonly untested: readonly TriedValue[]
  /** The fields of rows that no value has, though the best one is as like the rows as none of the others */
  readonly further: readonly string[]
  /** The fields that rows lack, whatever the value */
  readonly lacking: readonly string[]
  /** Whether some answer denies the best value and each other one */
  readonly isDenied: boolean
}

/**
 * A value is known if some answer excludes each other one, and no answer favours another one.
 *
 * @param usable the indexes of the requests from whose answers something can be concluded
 */
export function conclude({ settings, answers }: Fit, usable: readonly number[]): SettingFinding[] {
  const causes = answers.map(causesOfStatus)
  return settingIds.map((id): SettingFinding => {
    const values = new Set(
      usable.flatMap((at) => [...(answers[at]?.withOthers.get(id)?.keys() ?? [])]),
    )
    const by = new Set<number>()
    const deniedBy = new Set<number>()
    const further = new Set<string>()
    const lacking = new Set<string>()
    const or: TriedValue[] = []
    const untested: TriedValue[] = []
    for (const value of values) {
      const pairs = usable.flatMap((at) => {
        const { differences, withOthers } = answers[at] as ComparedAnswer
        const changed = withOthers.get(id)?.get(value)
        if (!differences || !changed) return []
        return [{ at, differences: about(id, differences), changed: about(id, changed) }]
      })
      const excluding = pairs.filter(({ differences, changed }) => favours(differences, changed))
      const against = pairs.filter(({ at, differences, changed }) => {
        if (favours(changed, differences)) return true
        // A request that another answer shows to be allowed can be refused for something else.
        const isOfOther =
          [...(causes[at] ?? [])].some((cause) => cause !== id) ||
          (excluding.length > 0 && isRefusedOnlyBy(differences))
        if (isOfOther) return false
        for (const name of otherFields(differences, changed, 'absent')) further.add(name)
        for (const name of otherFields(differences, changed, 'present')) lacking.add(name)
        return contradicts(differences, changed)
      })
      const isHidden = pairs.some(
        ({ differences, changed }) => differences.has('status') && changed.has('status'),
      )
      if (excluding.length === 0 || against.length > 0) (isHidden ? untested : or).push(value)
      for (const { at } of excluding) by.add(at)
      for (const { at } of against) deniedBy.add(at)
    }
    const isDenied = deniedBy.size > 0
    const showing = [...(isDenied ? deniedBy : by)].sort((a, b) => a - b)
    const fields = { further: [...further], lacking: [...lacking] }
    return { id, best: settings[id], by: showing, or, untested, ...fields, isDenied }
  })
}

/** Whether a service refuses what a simulator accepts. */
function isRefusedOnlyBy(differences: Differences): boolean {
  return /^"?2/.test(differences.get('status')?.simulated ?? '')
}

/** The settings of which another value has the status of the service. None if the best one has it */
function causesOfStatus({ differences, withOthers }: ComparedAnswer): ReadonlySet<SettingId> {
  if (!differences?.has('status')) return new Set()
  const causes = [...withOthers].filter(([, byValue]) =>
    [...byValue.values()].some((changed) => !changed.has('status')),
  )
  return new Set(causes.map(([id]) => id))
}
