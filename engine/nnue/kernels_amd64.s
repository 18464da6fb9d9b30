#include "textflag.h"

// SUM adds up the eight numbers of 32 bits in y, whose lower half is x. It uses X2.
#define SUM(x, y, to) \
	VEXTRACTI128 $1, y, X2    \
	VPADDD       X2, x, x     \
	VPSHUFD      $0x4e, x, X2 \
	VPADDD       X2, x, x     \
	VPSHUFD      $0xb1, x, X2 \
	VPADDD       X2, x, x     \
	VMOVD        x, to        \
	VZEROUPPER

// Every length is in words of four lanes and a multiple of 8.

// func moveAVX2(to, from, add, sub *uint64, n int)
TEXT ·moveAVX2(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ add+16(FP), R8
	MOVQ sub+24(FP), R9
	MOVQ n+32(FP), CX
	SHLQ $3, CX
	XORQ AX, AX

loop:
	VMOVDQU (SI)(AX*1), Y0
	VMOVDQU 32(SI)(AX*1), Y1
	VPADDW  (R8)(AX*1), Y0, Y0
	VPADDW  32(R8)(AX*1), Y1, Y1
	VPSUBW  (R9)(AX*1), Y0, Y0
	VPSUBW  32(R9)(AX*1), Y1, Y1
	VMOVDQU Y0, (DI)(AX*1)
	VMOVDQU Y1, 32(DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET

// func captureAVX2(to, from, add, sub, taken *uint64, n int)
TEXT ·captureAVX2(SB), NOSPLIT, $0-48
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ add+16(FP), R8
	MOVQ sub+24(FP), R9
	MOVQ taken+32(FP), R10
	MOVQ n+40(FP), CX
	SHLQ $3, CX
	XORQ AX, AX

loop:
	VMOVDQU (SI)(AX*1), Y0
	VMOVDQU 32(SI)(AX*1), Y1
	VPADDW  (R8)(AX*1), Y0, Y0
	VPADDW  32(R8)(AX*1), Y1, Y1
	VPSUBW  (R9)(AX*1), Y0, Y0
	VPSUBW  32(R9)(AX*1), Y1, Y1
	VPSUBW  (R10)(AX*1), Y0, Y0
	VPSUBW  32(R10)(AX*1), Y1, Y1
	VMOVDQU Y0, (DI)(AX*1)
	VMOVDQU Y1, 32(DI)(AX*1)
	ADDQ    $64, AX
	CMPQ    AX, CX
	JLT     loop
	VZEROUPPER
	RET

// func weighAVX2(units *uint64, w *int16, n int) int32
//
// The middle of a lane is taken away but not below 0. A unit c, 0 to 255, times its weight, -127 to 127, fits 16 bits; times c again and added in pairs, 32.
TEXT ·weighAVX2(SB), NOSPLIT, $0-28
	MOVQ         units+0(FP), SI
	MOVQ         w+8(FP), DI
	MOVQ         n+16(FP), CX
	SHLQ         $3, CX
	XORQ         AX, AX
	MOVL         $0x8000, DX
	MOVD         DX, X0
	VPBROADCASTW X0, Y0
	VPXOR        Y1, Y1, Y1
	VPXOR        Y2, Y2, Y2
	MOVL         $255, DX
	MOVD         DX, X3
	VPBROADCASTW X3, Y3

loop:
	VMOVDQU  (SI)(AX*1), Y4
	VMOVDQU  32(SI)(AX*1), Y5
	VPSUBUSW Y0, Y4, Y4
	VPSUBUSW Y0, Y5, Y5
	VPMINSW  Y3, Y4, Y4
	VPMINSW  Y3, Y5, Y5
	VPMULLW  (DI)(AX*1), Y4, Y6
	VPMULLW  32(DI)(AX*1), Y5, Y7
	VPMADDWD Y4, Y6, Y6
	VPMADDWD Y5, Y7, Y7
	VPADDD   Y6, Y1, Y1
	VPADDD   Y7, Y2, Y2
	ADDQ     $64, AX
	CMPQ     AX, CX
	JLT      loop

	VPADDD       Y2, Y1, Y1
	SUM(X1, Y1, AX)
	MOVL         AX, ret+24(FP)
	RET

// func lookAVX2(contents *uint64, bases *int32, worths *pair, phases int) int32
//
// A worth in the ending and one in the opening, 16 bits each, times their shares of the phase and added, are 32.
TEXT ·lookAVX2(SB), NOSPLIT, $0-36
	MOVQ         contents+0(FP), SI
	MOVQ         bases+8(FP), DI
	MOVQ         worths+16(FP), BX
	MOVQ         phases+24(FP), DX
	MOVD         DX, X3
	VPBROADCASTD X3, Y3
	VPXOR        Y1, Y1, Y1
	XORQ         AX, AX

loop:
	VPMOVZXWD  (SI)(AX*2), Y4
	VPADDD     (DI)(AX*4), Y4, Y4
	VPCMPEQD   Y6, Y6, Y6
	VPGATHERDD Y6, (BX)(Y4*4), Y5
	VPMADDWD   Y3, Y5, Y5
	VPADDD     Y5, Y1, Y1
	ADDQ       $8, AX
	CMPQ       AX, $40
	JLT        loop

	SUM(X1, Y1, AX)
	MOVL         AX, ret+32(FP)
	RET
