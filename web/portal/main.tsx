import { RouterProvider } from '@tanstack/react-router'
import { startApp } from '../shared/start-app.tsx'
import { followNavigation } from './back-link.ts'
import './portal.css'
import { router } from './routes.tsx'

followNavigation(router.history)
startApp(<RouterProvider router={router} />)
