import type fc from 'fast-check'
import type { Driver } from './driver.ts'
import type { Model } from './model.ts'

/** What both the model and the simulator do. `steps` counts the requests and control calls. */
export type Command = fc.AsyncCommand<Model, Driver>

type Run = (model: Model, driver: Driver) => Promise<void> | void

export class Step implements Command {
  readonly #title: string
  readonly #run: Run
  readonly #check: (model: Model) => boolean

  constructor(title: string, run: Run, check: (model: Model) => boolean = () => true) {
    this.#title = title
    this.#run = run
    this.#check = check
  }

  check(model: Readonly<Model>): boolean {
    return this.#check(model as Model)
  }

  async run(model: Model, driver: Driver): Promise<void> {
    model.steps += 1
    await this.#run(model, driver)
  }

  toString(): string {
    return this.#title
  }
}
