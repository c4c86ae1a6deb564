import { RouterProvider } from '@tanstack/react-router'
import { startApp } from '../shared/start-app.tsx'
import { followPlaces } from './came-from.ts'
import './portal.css'
import { router } from './routes.tsx'

followPlaces(router.history)
startApp(<RouterProvider router={router} />)
