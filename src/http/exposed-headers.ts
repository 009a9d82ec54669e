const names = ['allow', 'location', 'retry-after', 'understudy-nearest', 'www-authenticate']

/** The value of `Access-Control-Expose-Headers`: what a page of another origin can read. */
export function exposedHeaders(explains: boolean): string {
  return [...names, ...(explains ? ['understudy-why'] : [])].join(',')
}
