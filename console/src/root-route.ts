/** The root of all routes. Its component is set by `router.tsx`, so that pages can refer to it without a circle. */
import { createRootRoute } from '@tanstack/react-router'

export const rootRoute = createRootRoute()
