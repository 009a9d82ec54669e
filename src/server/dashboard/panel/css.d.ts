/** The build bundles the file and its imports, with pixels in place of `rem`: a page may have another root size. */
declare module '*panel.css' {
  const text: string
  export default text
}
