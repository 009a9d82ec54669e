import type { Argument, Option } from 'commander'

/** Has a shell complete some words, where others may stand as well. */
export function offering<What extends Argument | Option>(
  what: What,
  words: readonly string[],
): What & { readonly offered: readonly string[] } {
  return Object.assign(what, { offered: words })
}

/** What a shell completes: the choices, or else what is offered. */
export function offeredBy(what: Argument | Option): readonly string[] {
  return what.argChoices ?? ('offered' in what ? (what.offered as readonly string[]) : [])
}
