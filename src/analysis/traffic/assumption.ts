/** A value of a derived world that the traffic does not show. */
export interface Assumption {
  /** The path of the value in the world, such as `annotations[id=2].content`, or of a request, such as `requests[3].phase` */
  readonly field: string
  readonly value: unknown
  /** Why it is not known, as a sentence */
  readonly because: string
}
