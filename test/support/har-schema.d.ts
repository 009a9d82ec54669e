declare module 'har-schema' {
  /** The schemas of HAR 1.2 by their names; that of an archive is `har`. */
  const schemas: Readonly<Record<string, object>>
  export default schemas
}
