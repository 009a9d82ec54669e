/** A value of a derived world that the traffic does not show. */
export interface Assumption {
  /** The path of the value in the world, such as `annotations[2].content`, or in the scenario, such as `steps[3]` */
  readonly field: string
  readonly value: unknown
  /** Why it is not known, as a sentence */
  readonly because: string
}
