/** How a check that runs by itself says what it found. `npm run check` collects the problems of all of them instead. */
export function reportProblems(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
