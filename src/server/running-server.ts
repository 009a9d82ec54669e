// Apart from `listen`, so that the types of pages and tests need no types of Node.

/** A server that runs until it is closed. */
export interface RunningServer {
  /** A URL that reaches the server from this machine, without a trailing slash: `http://127.0.0.1:4010` */
  readonly url: string
  /** The port, also if the operating system selected it */
  readonly port: number
  /** Accepts no further connection, and closes the open ones. */
  readonly close: (options?: {
    /** How long requests in flight may take until they are cut off, in milliseconds. By default 0 */
    readonly timeout?: number
  }) => Promise<void>
}
