import { wait } from '../../timers.ts'

/** Does something whenever it is asked to, but not all the time: what is asked for too soon is done once, later. */
export class ThrottledCall {
  readonly #rest: number
  readonly #act: () => void
  #isResting = false
  #isDue = false

  /** @param rest milliseconds between one time and the next */
  constructor(rest: number, act: () => void) {
    this.#rest = rest
    this.#act = act
  }

  run(): void {
    if (this.#isResting) {
      this.#isDue = true
      return
    }
    this.#isResting = true
    this.#isDue = false
    this.#act()
    wait(this.#rest).then(() => {
      this.#isResting = false
      if (this.#isDue) this.run()
    })
  }
}
