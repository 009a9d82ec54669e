/** Keys of a target: by label, and one for all that are not named. */
export interface KeyFlags {
  readonly key?: string
  readonly keys?: Readonly<Record<string, string>>
}

/** `label=value`, or a value for all. @note Values have no `=`, labels may: the last one parts them. */
export function parseKeyFlag(text: string, before: KeyFlags = {}): KeyFlags {
  const at = text.lastIndexOf('=')
  if (at < 0) return { ...before, key: text }
  return { ...before, keys: { ...before.keys, [text.slice(0, at)]: text.slice(at + 1) } }
}
