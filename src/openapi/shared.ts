import type { OperationExamples } from './examples.ts'

/** Examples that several operations have in common, each written once and elsewhere referred to. */
export interface SharedExamples {
  readonly examples: Readonly<Record<string, object>>
  /** What stands for an example: a reference, or itself. */
  reference(name: string, example: object): object
}

/** @param all the examples of every operation */
export function shareExamples(all: readonly OperationExamples[]): SharedExamples {
  const texts = new Map<string, string[]>()
  for (const { request = {}, responses } of all) {
    const groups = [request, ...Object.values(responses).map(({ examples }) => examples)]
    for (const [name, example] of groups.flatMap((group) => Object.entries(group))) {
      texts.set(name, [...(texts.get(name) ?? []), JSON.stringify(example)])
    }
  }
  const isShared = (name: string): boolean => {
    const found = texts.get(name) ?? []
    return found.length > 1 && new Set(found).size === 1
  }
  const shared = [...texts].filter(([name]) => isShared(name))
  return {
    examples: Object.fromEntries(shared.map(([name, [text = '']]) => [name, JSON.parse(text)])),
    reference: (name, example) =>
      isShared(name) ? { $ref: `#/components/examples/${name}` } : example,
  }
}
