import type { TriedValue } from '../fit/fit-settings.ts'
import type { ComparedSetting, Explained } from './comparison.ts'
import type { SettingFinding } from './conclude.ts'

/**
 * Says what each value is, or why it stays open.
 *
 * @param doubt why a value cannot be told from others although answers differ
 * @param nameOf names a request by its index
 */
export function toVerdicts(
  findings: readonly SettingFinding[],
  doubt: (finding: SettingFinding) => Explained | null,
  nameOf: (at: number) => string,
): ComparedSetting[] {
  return findings.map((finding): ComparedSetting => {
    const { id, best, by, or } = finding
    const open = openReason(finding) ?? doubt(finding)
    return {
      ...{ id, value: open === null ? best : null },
      shown_by: open?.word === 'not_shown' ? [] : [...new Set(by.map(nameOf))],
      ...{ or, open },
    }
  })
}

function openReason(finding: SettingFinding): Explained | null {
  const { by, isDenied, or, untested, best, further, lacking } = finding
  const isNearest = by.length > 0 && or.length === 0 && untested.length === 0
  if (isDenied || (further.length > 0 && !isNearest)) return noneFits
  if (further.length > 0) {
    const names = `field${further.length > 1 ? 's' : ''} ${listOf(further)}`
    const lack = lacking.length > 0 ? `, and lack ${listOf(lacking)}` : ''
    const sentence = `No value fits: ${best} is the nearest, but rows have the further ${names}${lack}.`
    return { word: 'further_fields', sentence }
  }
  // Of whole numbers only some are tried: if two fit, so do others.
  const isAnyNumber = or.length > 0 && typeof best === 'number'
  // What would show the value has another status than with any of them.
  const isHidden = or.length === 0 && untested.length > 0
  if (by.length === 0 || isAnyNumber || isHidden)
    return { word: 'not_shown', sentence: 'No response shows it.' }
  if (or.length === 0) return null
  const values = [best, ...or]
  const fit = `${listOf(values)} ${values.length > 1 ? 'fit' : 'fits'}`
  const rest = `, and ${listOf(untested)} ${untested.length > 1 ? 'are' : 'is'} not tested`
  return { word: 'several_fit', sentence: `${fit}${untested.length > 0 ? rest : ''}.` }
}

/** All values are denied. */
export const noneFits: Explained = {
  word: 'none_fits',
  sentence: 'The answers fit none of its values.',
}

function listOf(values: readonly TriedValue[]): string {
  return new Intl.ListFormat('en-GB').format(values.map(String))
}
