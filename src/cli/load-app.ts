/** Loads the server: only commands that open the database pay for it. */

/** Loads `app.ts`, and then the V8 flag that must come after it: compiled code is reused only under the flags it was made with. */
export async function loadApp(): Promise<typeof import('../app.ts')> {
  const app = await import('../app.ts')
  await import('../config/pretenuring.ts')
  return app
}
