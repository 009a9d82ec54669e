/** A text that was sent, and what it says: it is read once, however often it is looked through. */
export class ReadBody {
  readonly text: string
  readonly isForm: boolean
  /** What it is as JSON; undefined for a form, and for what is no JSON */
  readonly json: { readonly value: unknown } | undefined
  #isPlain: boolean | undefined

  /** @param json where that is known */
  constructor(text: string, isForm: boolean, json?: ReadBody['json']) {
    this.text = text
    this.isForm = isForm
    this.json = json ?? (isForm ? undefined : read(text))
  }

  /** Whether its JSON is all that it says. Of a name that stands there twice, only one value was read. */
  get isPlain(): boolean {
    this.#isPlain ??= JSON.stringify(this.json?.value) === this.text
    return this.#isPlain
  }
}

function read(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
