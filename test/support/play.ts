import type { Client, Reply } from './client.ts'

interface Step {
  readonly title: string
  /** The label of a key. */
  readonly as?: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly expect: { readonly status: number; readonly body?: unknown }
  readonly save?: Readonly<Record<string, string>>
}

/** A story of scenarios/, as far as its steps are requests. */
export interface Story {
  readonly title: string
  /** The name of a fixture. */
  readonly world: 'default'
  readonly clock: string
  readonly steps: readonly Step[]
}

/** Sends the requests of a story one after another. @returns what was answered to each */
export async function play(
  { steps }: Story,
  api: Client,
  keys: ReadonlyMap<string | undefined, string>,
): Promise<Reply[]> {
  const saved = new Map<string, unknown>()
  const answers: Reply[] = []
  for (const { as, method, path, body, save = {} } of steps) {
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => String(saved.get(name)))
    const answer = await api.ask(method, url, { key: keys.get(as) ?? null, body })
    for (const [name, pointer] of Object.entries(save)) saved.set(name, at(answer.body, pointer))
    answers.push(answer)
  }
  return answers
}

function at(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce((inner, name) => (inner as Record<string, unknown>)[name], value)
}
