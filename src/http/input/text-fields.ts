import { z } from 'zod'
import type { TextClass } from '../../domain/text/text-class.ts'

/** The class of each text field that requests send, by its schema. `.meta()` copies keep it. */
export const textFields = z.registry<{ textClass: TextClass }>()
