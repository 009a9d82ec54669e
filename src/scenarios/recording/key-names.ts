import type { KeyRow } from '../../world/rows.ts'

type NamedKey = Pick<KeyRow, 'value' | 'label'>

const nameInWorld = (number: number | string): string => `key-${number}-of-a-world`

const replacedKey = new RegExp(`^${nameInWorld('\\d+')}$`)

/** Whether the value of a key was replaced, so that no client knows it. */
export function isReplacedKey(value: string): boolean {
  return replacedKey.test(value)
}

/**
 * Names the keys of a recording. Their values are secret, and a key that was issued gets another value in a replay. So a
 * step names a key by its label, and the worlds of a recording have other values. A key has the same label and the same
 * replaced value throughout, and no two keys have the same one.
 */
export class KeyNames {
  /** Labels of the keys that have none, by value */
  readonly #labels = new Map<string, string>()
  readonly #replacements = new Map<string, string>()
  readonly #issuedNames: Iterator<string, never>
  readonly #namesInWorld: Iterator<string, never>

  /** @param known the keys of the recording: the label or the value of one is no name for another one */
  constructor(known: readonly NamedKey[] = []) {
    const used = new Set(known.flatMap(({ label, value }) => [label, value]))
    this.#issuedNames = namesExcept(used, (number) => `issued-${number}`)
    this.#namesInWorld = namesExcept(used, nameInWorld)
  }

  /** The label of a key. Undefined for a key without one that was not added. */
  labelOf({ value, label }: NamedKey): string | undefined {
    return label === value ? this.#labels.get(value) : label
  }

  /** The label that a key without one got, by its value. */
  chosenLabel(value: string): string | undefined {
    return this.#labels.get(value)
  }

  /** Chooses a label for a key that was issued without one. */
  addIssued({ value, label }: NamedKey): void {
    if (label !== value || this.#labels.has(value)) return
    this.#labels.set(value, this.#issuedNames.next().value)
  }

  /** Replaces the value of a key of a world, unless that happened already. A key without a label gets one. */
  replace({ value, label }: NamedKey): { value: string; label: string } {
    const known = isReplacedKey(value) ? value : this.#replacements.get(value)
    const replacement = known ?? this.#namesInWorld.next().value
    this.#replacements.set(value, replacement)
    if (label === value && !this.#labels.has(value)) this.#labels.set(value, replacement)
    return { value: replacement, label: this.labelOf({ value, label }) as string }
  }
}

function* namesExcept(
  used: ReadonlySet<string>,
  nameOf: (number: number) => string,
): Generator<string, never> {
  for (let number = 1; ; number++) if (!used.has(nameOf(number))) yield nameOf(number)
}
