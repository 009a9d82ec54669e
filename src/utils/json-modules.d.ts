/** Fixtures are read as unknown and checked when a world is loaded from them. */
declare module '*.json' {
  const value: unknown
  export default value
}
