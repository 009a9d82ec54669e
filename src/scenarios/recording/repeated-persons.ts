import { isObject, mapValues } from '../../utils/json.ts'

/** The persons of a recording, such as authors of rows. Each is written once, and then stands as a matcher. */
export class RepeatedPersons {
  /** The first step whose response has a person, by the JSON text of the person. */
  readonly #firstSteps = new Map<string, number>()

  /** Finds the persons of a response. */
  add(body: unknown, step: number): void {
    if (typeof body !== 'object' || body === null) return
    if ('email' in body) {
      const person = JSON.stringify(body)
      if (!this.#firstSteps.has(person)) this.#firstSteps.set(person, step)
    }
    for (const inner of Object.values(body)) this.add(inner, step)
  }

  /**
   * Replaces repeated persons by a matcher, unless an expected field says who they are.
   *
   * @param body the generalized form of `raw`
   */
  collapse(body: unknown, raw: unknown, step: number, shown: Set<string> = new Set()): unknown {
    if (typeof body !== 'object' || typeof raw !== 'object' || !body || !raw) return body
    if (isObject(body) && 'email' in raw) {
      const person = JSON.stringify(raw)
      const isFirst = this.#firstSteps.get(person) === step && !shown.has(person)
      shown.add(person)
      const isAnybody = Object.values(body).every((value) => typeof value !== 'string')
      if (isAnybody && !isFirst) return { $match: 'object' }
    }
    return mapValues(body, (value, name) =>
      this.collapse(value, raw[name as keyof typeof raw], step, shown),
    )
  }
}
