/** Whether the tests that search for defects run for hours: `LONG=1 npm run slow -- test/fuzz`. */
export const isLong = process.env.LONG === '1'
