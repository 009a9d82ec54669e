/**
 * An archive of requests in the format HAR 1.2, which browsers and proxies read and write.
 *
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export type Har = {
  log: {
    version: '1.2'
    creator: { name: string; version: string }
    entries: HarEntry[]
  }
}

// Types, not interfaces: the format lets anybody add fields, which the types of others ask for.
/** A request and its answer. */
export type HarEntry = {
  /** ISO 8601 */
  startedDateTime: string
  /** In milliseconds, as are the parts of it in `timings` */
  time: number
  request: HarMessage & {
    method: string
    /** Whole, without a fragment */
    url: string
    queryString: HarPair[]
    postData?: HarPostData
  }
  response: HarMessage & {
    /** 0 where none came */
    status: number
    statusText: string
    content: HarContent
    redirectURL: string
  }
  cache: Record<string, never>
  timings: { send: number; wait: number; receive: number }
  /** The label of the key that it was sent with. The format has no word for it: `_key` is ours */
  _key?: string
  comment?: string
}

/** What a request and an answer have in common. */
export type HarMessage = {
  httpVersion: string
  cookies: HarPair[]
  headers: HarPair[]
  /** In bytes; -1 where it is not known */
  headersSize: number
  /** In bytes; -1 where it is not known */
  bodySize: number
}

/** The body of a request. The format has no word for one that is no text: `_encoding` is ours. */
export type HarPostData = {
  mimeType: string
  text: string
  _encoding?: 'base64'
  comment?: string
}

/** The body of an answer. */
export type HarContent = {
  size: number
  mimeType: string
  /** Missing where it was not kept */
  text?: string
  encoding?: 'base64'
  comment?: string
}

/** A header, a cookie, or a parameter of a query. */
export type HarPair = {
  name: string
  value: string
}
