import type fc from 'fast-check'
import type { Driver } from './driver.ts'
import type { Model } from './model.ts'

/** What both the model and the simulator do. */
export type Command = fc.AsyncCommand<Model, Driver>

/** A command, which counts as one step. @param check whether the model is in a state for it */
export const step = (
  title: string,
  run: (model: Model, driver: Driver) => Promise<void> | void,
  check: (model: Model) => boolean = () => true,
): Command => ({
  check: (model) => check(model as Model),
  async run(model, driver) {
    model.steps += 1
    await run(model, driver)
  },
  toString: () => title,
})
