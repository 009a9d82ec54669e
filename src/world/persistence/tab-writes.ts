/**
 * Which writes a shared world has in it: for each tab the number of its latest one. A number is higher than all
 * that the world had in it before, whoever's they were. Only the highest few are kept.
 */
export type TabWrites = Readonly<Record<string, number>>

const MAX_TABS = 16

/** Where they stand in the text of a world: first, so that they are found without reading the rest. */
const writesPrefix = /^\{"writes":(\{[^{}]*\}),\n/

/** @example writesIn('{"writes":{"a1":7},\n"seed":1}') // { a1: 7 } */
export function parseTabWrites(text: string | null): TabWrites {
  const [, json] = writesPrefix.exec(text ?? '') ?? []
  return json === undefined ? {} : JSON.parse(json)
}

/** The text of a world with its writes. @example withWrites('{"seed":1}', { a1: 7 }) */
export function addTabWrites(world: string, writes: TabWrites): string {
  return `{"writes":${JSON.stringify(writes)},\n${world.slice(1)}`
}

/** The text of a world as it was before. */
export function stripTabWrites(text: string): string {
  const [start] = writesPrefix.exec(text) ?? []
  return start === undefined ? text : `{${text.slice(start.length)}`
}

/** What they are after one more. @example withWriteOf('b2', { a1: 7 }) // { b2: 8, a1: 7 } */
export function recordTabWrite(tab: string, writes: TabWrites): TabWrites {
  const { [tab]: _, ...others } = writes
  const next = Math.max(0, ...Object.values(writes)) + 1
  const latest = Object.entries(others).sort(([, one], [, other]) => other - one)
  return Object.fromEntries([[tab, next], ...latest.slice(0, MAX_TABS - 1)])
}

/** Whether something that is among some writes is not among others. @example isMissing({ a1: 7 }, { a1: 6 }) // true */
export function hasMissingWrites(writes: TabWrites, others: TabWrites): boolean {
  const numbers = Object.values(others)
  // Who is not named wrote before all who are.
  const unnamed = numbers.length < MAX_TABS ? 0 : Math.min(...numbers)
  return Object.entries(writes).some(([tab, number]) => number > (others[tab] ?? unnamed))
}
