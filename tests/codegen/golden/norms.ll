
; Function Attrs: nounwind
define void @kernel(ptr noalias readonly %0, i64 %1, i64 %2, i64 %3, i64 %4) #0 {
entry:
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %9 = load ptr, ptr %8, align 8
  br label %start

start:                                            ; preds = %entry
  %10 = sub i64 %4, %3
  %11 = and i64 %10, -16
  %12 = add i64 %3, %11
  %13 = icmp slt i64 %3, %12
  br i1 %13, label %loop, label %done

loop:                                             ; preds = %loop, %start
  %14 = phi i64 [ %3, %start ], [ %24, %loop ]
  %15 = getelementptr float, ptr %5, i64 %14
  %16 = load <16 x float>, ptr %15, align 4
  %17 = fmul <16 x float> %16, %16
  %18 = getelementptr float, ptr %7, i64 %14
  %19 = load <16 x float>, ptr %18, align 4
  %20 = fmul <16 x float> %19, %19
  %21 = fadd <16 x float> %17, %20
  %22 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %21)
  %23 = getelementptr float, ptr %9, i64 %14
  store <16 x float> %22, ptr %23, align 4
  %24 = add i64 %14, 16
  %25 = icmp slt i64 %24, %12
  br i1 %25, label %loop, label %done

done:                                             ; preds = %loop, %start
  %26 = icmp slt i64 %12, %4
  br i1 %26, label %loop1, label %done2

loop1:                                            ; preds = %loop1, %done
  %27 = phi i64 [ %12, %done ], [ %44, %loop1 ]
  %28 = icmp slt i64 %27, %3
  %29 = select i1 %28, i64 %3, i64 %4
  %30 = sub i64 %29, %27
  %31 = call i64 @llvm.smin.i64(i64 %30, i64 16)
  %32 = trunc i64 %31 to i32
  %.splatinsert = insertelement <16 x i32> poison, i32 %32, i64 0
  %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
  %33 = icmp sgt <16 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %34 = getelementptr float, ptr %5, i64 %27
  %35 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %34, <16 x i1> %33, <16 x float> zeroinitializer)
  %36 = fmul <16 x float> %35, %35
  %37 = getelementptr float, ptr %7, i64 %27
  %38 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %37, <16 x i1> %33, <16 x float> zeroinitializer)
  %39 = fmul <16 x float> %38, %38
  %40 = fadd <16 x float> %36, %39
  %41 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %40)
  %42 = getelementptr float, ptr %9, i64 %27
  call void @llvm.masked.store.v16f32.p0(<16 x float> %41, ptr align 4 %42, <16 x i1> %33)
  %43 = add i64 %27, 16
  %44 = select i1 %28, i64 %12, i64 %43
  %45 = icmp slt i64 %44, %4
  br i1 %45, label %loop1, label %done2

done2:                                            ; preds = %loop1, %done
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <16 x float> @llvm.sqrt.v16f32(<16 x float>) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr captures(none), <16 x i1>, <16 x float>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr captures(none), <16 x i1>) #3

