#include "textflag.h"

// Every length is a multiple of 32.

// func addRow(to, from *float32, n int)
TEXT ·addRow(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	SHLQ $2, CX
	XORQ AX, AX

loop:
	VMOVUPS (DI)(AX*1), Y0
	VMOVUPS 32(DI)(AX*1), Y1
	VMOVUPS 64(DI)(AX*1), Y2
	VMOVUPS 96(DI)(AX*1), Y3
	VADDPS  (SI)(AX*1), Y0, Y0
	VADDPS  32(SI)(AX*1), Y1, Y1
	VADDPS  64(SI)(AX*1), Y2, Y2
	VADDPS  96(SI)(AX*1), Y3, Y3
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y1, 32(DI)(AX*1)
	VMOVUPS Y2, 64(DI)(AX*1)
	VMOVUPS Y3, 96(DI)(AX*1)
	ADDQ    $128, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET

// func weighRow(units, w *float32, n int) float32
TEXT ·weighRow(SB), NOSPLIT, $0-28
	MOVQ         units+0(FP), SI
	MOVQ         w+8(FP), DI
	MOVQ         n+16(FP), CX
	SHLQ         $2, CX
	XORQ         AX, AX
	VXORPS       Y0, Y0, Y0
	VXORPS       Y1, Y1, Y1
	VXORPS       Y2, Y2, Y2
	MOVL         $0x3f800000, DX
	VMOVD        DX, X3
	VBROADCASTSS X3, Y3

loop:
	VMAXPS  (SI)(AX*1), Y0, Y4
	VMAXPS  32(SI)(AX*1), Y0, Y5
	VMINPS  Y3, Y4, Y4
	VMINPS  Y3, Y5, Y5
	VMULPS  Y4, Y4, Y4
	VMULPS  Y5, Y5, Y5
	VMULPS  (DI)(AX*1), Y4, Y4
	VMULPS  32(DI)(AX*1), Y5, Y5
	VADDPS  Y4, Y1, Y1
	VADDPS  Y5, Y2, Y2
	ADDQ    $64, AX
	CMPQ    AX, CX
	JLT     loop

	VADDPS       Y2, Y1, Y1
	VEXTRACTF128 $1, Y1, X2
	VADDPS       X2, X1, X1
	VSHUFPS      $0x4e, X1, X1, X2
	VADDPS       X2, X1, X1
	VSHUFPS      $0xb1, X1, X1, X2
	VADDPS       X2, X1, X1
	VMOVSS       X1, ret+24(FP)
	VZEROUPPER
	RET

// func slopeRow(slopes, gradient, units, w *float32, slope float32, n int)
TEXT ·slopeRow(SB), NOSPLIT, $0-48
	MOVQ         slopes+0(FP), R8
	MOVQ         gradient+8(FP), R9
	MOVQ         units+16(FP), SI
	MOVQ         w+24(FP), DI
	VBROADCASTSS slope+32(FP), Y2
	MOVQ         n+40(FP), CX
	SHLQ         $2, CX
	XORQ         AX, AX
	VXORPS       Y0, Y0, Y0
	MOVL         $0x3f800000, DX
	VMOVD        DX, X3
	VBROADCASTSS X3, Y3

loop:
	VMOVUPS (SI)(AX*1), Y4
	VMAXPS  Y4, Y0, Y5
	VMINPS  Y3, Y5, Y5
	VCMPPS  $0, Y4, Y5, Y6
	VMULPS  Y2, Y5, Y7            // slope c
	VMULPS  Y5, Y7, Y8            // slope c c
	VADDPS  (R9)(AX*1), Y8, Y8
	VMOVUPS Y8, (R9)(AX*1)
	VADDPS  Y7, Y7, Y7
	VMULPS  (DI)(AX*1), Y7, Y7
	VANDPS  Y6, Y7, Y7
	VMOVUPS Y7, (R8)(AX*1)
	ADDQ    $32, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET

// func adamRow(m, mean, square, grad, k *float32, n int)
//
// The numbers at k: the factor of the gradient, 1 - keepMean, 1 - keepSquare, the fix of the square, the least
// square root, the rate with the fix of the mean.
TEXT ·adamRow(SB), NOSPLIT, $0-48
	MOVQ         m+0(FP), DI
	MOVQ         mean+8(FP), R8
	MOVQ         square+16(FP), R9
	MOVQ         grad+24(FP), SI
	MOVQ         k+32(FP), DX
	MOVQ         n+40(FP), CX
	SHLQ         $2, CX
	XORQ         AX, AX
	VBROADCASTSS (DX), Y10
	VBROADCASTSS 4(DX), Y11
	VBROADCASTSS 8(DX), Y12
	VBROADCASTSS 12(DX), Y13
	VBROADCASTSS 16(DX), Y14
	VBROADCASTSS 20(DX), Y15

loop:
	VMULPS  (SI)(AX*1), Y10, Y0   // gradient
	VMOVUPS (R8)(AX*1), Y1
	VSUBPS  Y1, Y0, Y2
	VMULPS  Y11, Y2, Y2
	VADDPS  Y2, Y1, Y1
	VMOVUPS Y1, (R8)(AX*1)
	VMOVUPS (R9)(AX*1), Y3
	VMULPS  Y0, Y0, Y0
	VSUBPS  Y3, Y0, Y0
	VMULPS  Y12, Y0, Y0
	VADDPS  Y0, Y3, Y3
	VMOVUPS Y3, (R9)(AX*1)
	VMULPS  Y13, Y3, Y3
	VSQRTPS Y3, Y3
	VADDPS  Y14, Y3, Y3
	VMULPS  Y15, Y1, Y1
	VDIVPS  Y3, Y1, Y1
	VMOVUPS (DI)(AX*1), Y4
	VSUBPS  Y1, Y4, Y4
	VMOVUPS Y4, (DI)(AX*1)
	ADDQ    $32, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET
